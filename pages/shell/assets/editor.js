// A text area with the numbers of its lines; lines with faults are marked. What is typed is sent a moment after the last
// key, so that findings follow the typing. The text is only ever the value of a text area, and marks are text nodes.
const LIVE = new WeakMap();
const PAUSE_MS = 350;

function number(live) {
  const count = live.area.value.split('\n').length;
  const drawn = JSON.stringify([count, live.marks]);
  if (drawn === live.drawn) return;
  live.drawn = drawn;
  live.lines.replaceChildren(...Array.from({ length: count }, (_, i) => {
    const line = document.createElement('span'), words = live.marks[i + 1];
    line.textContent = i + 1;
    if (words) { line.className = 'marked'; line.title = words; }
    return line;
  }));
}

function send(live) {
  clearTimeout(live.timer);
  if (live.area.value === live.sent) return;
  live.sent = live.area.value;
  live.set('text', live.sent);
}

function goTo(live, line) {
  const before = live.area.value.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  const end = live.area.value.indexOf('\n', before);
  live.area.focus();
  live.area.setSelectionRange(before, end < 0 ? live.area.value.length : end);
  live.area.scrollTop = Math.max(0, (line - 4) * live.area.scrollHeight / live.area.value.split('\n').length);
}

export default async function (component, wear) {
  const { data, parentElement, setStateValue } = component;
  const root = parentElement.querySelector('.editor');
  root.__wanted = data;
  await wear(root);
  if (root.__wanted !== data) return;  // a later call has overtaken this one
  let live = LIVE.get(root);
  if (!live) {
    live = { area: root.querySelector('textarea'), lines: root.querySelector('.lines'), marks: {}, begun: null, shown: null };
    LIVE.set(root, live);
    live.area.addEventListener('input', () => {
      number(live);
      clearTimeout(live.timer);
      live.timer = setTimeout(() => send(live), PAUSE_MS);
    });
    live.area.addEventListener('blur', () => send(live));
    live.area.addEventListener('scroll', () => { live.lines.scrollTop = live.area.scrollTop; });
  }
  live.set = setStateValue;
  live.area.readOnly = false;  // what was typed before this would be lost
  live.area.setAttribute('aria-label', data.label);
  if (data.begun !== live.begun) {  // another text to begin with: what was typed before it is gone
    live.begun = data.begun;
    live.area.value = live.sent = data.text;
  }
  root.classList.toggle('short', Boolean(data.short));
  live.marks = data.marks;
  number(live);
  if (data.show && data.show.at !== live.shown) { live.shown = data.show.at; goTo(live, data.show.line); }
  root.dataset.ready = '1';
}
