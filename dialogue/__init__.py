"""With whom, and when: understanding, goal stack, memory, orchestration, execution, event log and its stores."""
