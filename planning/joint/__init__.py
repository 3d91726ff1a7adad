"""Several requests at once: one task, one plan, and both written as the paper on incomplete queries prints them.

Each request has facts of its own, named by its variable (x, y, z, x3, …); what one comes to can be an argument of a
later one. Any engine solves the task: it is an ordinary one.
"""

from __future__ import annotations

from planning.joint.compilation import compile_joint
from planning.joint.model import JointPlan, JointRequest, JointTask, RequestsRefused, name_request
from planning.joint.pddl_listing import write_task
from planning.joint.plan import plan_joint, solve_joint
from planning.joint.plan_listing import Argument, ArgumentSource, list_arguments, write_plan
