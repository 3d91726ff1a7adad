// Draws a tree of plain JSON as elements. Text is only ever set as text nodes, and tags, attributes and styles come
// from short lists, so nothing in the data can become markup, script, link or request.
const SVG = 'http://www.w3.org/2000/svg';
const TAGS = new Set(['h1', 'div', 'span', 'p', 'button', 'ol', 'ul', 'li', 'h2', 'h3', 'h4', 'strong', 'em', 'code', 'pre',
  'table', 'thead', 'tbody', 'tr', 'th', 'td', 'dl', 'dt', 'dd', 'section', 'nav', 'img', 'details', 'summary', 'small',
  'input']);
const ATTRIBUTES = new Set(['role', 'title', 'alt', 'lang', 'colspan', 'scope', 'disabled', 'tabindex', 'open', 'id', 'min', 'max', 'step',
  'value', 'data-low', 'data-high']);
const allowed = name => ATTRIBUTES.has(name) || name.startsWith('aria-');
const LIVE = new WeakMap();

function build(node, icons) {
  if (typeof node === 'string') return document.createTextNode(node);
  if (node.icon) return drawIcon(node, icons);
  const element = document.createElement(TAGS.has(node.tag) ? node.tag : 'span');
  if (node.tag === 'button') element.type = 'button';
  if (node.tag === 'input') element.type = 'range';
  dress(element, node);
  for (const child of node.children ?? []) element.append(build(child, icons));
  return element;
}

function drawIcon(node, icons) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon ' + (node.cls ?? ''));
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', icons[node.icon] ?? '');
  svg.append(path);
  return svg;
}

function dress(element, node) {
  element.className = node.cls ?? '';
  element.__act = node.act ?? null;
  element.__key = node.key ?? null;
  if (node.key) element.dataset.key = node.key;
  const wanted = node.attrs ?? {};
  for (const { name } of [...element.attributes])
    if (allowed(name) && !(name in wanted) && !(name === 'open')) element.removeAttribute(name);
  for (const [name, value] of Object.entries(wanted))
    if (allowed(name) && element.getAttribute(name) !== value) element.setAttribute(name, value);
  if (element.tagName === 'INPUT' && !element.__moved && !element.matches(':active')) element.value = wanted.value;
  for (const [name, value] of Object.entries(node.vars ?? {}))
    if (name.startsWith('--')) element.style.setProperty(name, value);
  if (element.tagName === 'IMG' && /^data:image\/(png|jpeg|webp);base64,/.test(node.src ?? '') && element.src !== node.src)
    element.src = node.src;
}

// Change only what differs, so that focus, open details and scroll places survive a live update.
function morph(old, node, icons) {
  if (typeof node === 'string') {
    if (old.nodeType === Node.TEXT_NODE) { if (old.data !== node) old.data = node; return old; }
    return swap(old, node, icons);
  }
  if (node.icon || old.nodeType !== Node.ELEMENT_NODE || old.tagName.toLowerCase() !== node.tag
      || (old.__key ?? null) !== (node.key ?? null)) return swap(old, node, icons);
  dress(old, node);
  reconcile(old, node.children ?? [], icons);
  return old;
}
function swap(old, node, icons) { const made = build(node, icons); old.replaceWith(made); return made; }
function reconcile(parent, children, icons) {
  const keyed = new Map([...parent.childNodes].filter(n => n.__key).map(n => [n.__key, n]));
  children.forEach((child, i) => {
    const match = child.key ? keyed.get(child.key) : null;
    if (match && parent.childNodes[i] !== match) parent.insertBefore(match, parent.childNodes[i] ?? null);
    const old = parent.childNodes[i];
    if (old) morph(old, child, icons); else parent.append(build(child, icons));
  });
  while (parent.childNodes.length > children.length) parent.lastChild.remove();
}

// What a slider says follows its thumb here, from what was computed ahead; the page is told once it rests for a moment.
const REST_MS = 80;
function follow(input) {
  const at = Number(input.value), box = input.closest('.slider'), shown = box.querySelector('.shown');
  shown.textContent = shown.textContent.replace(/[\d.,]*\d/, at.toLocaleString('en-US'));
  input.setAttribute('aria-valuetext', shown.textContent);
  for (const one of box.querySelectorAll('[data-low]'))
    if (Number(one.dataset.low) <= at && at <= Number(one.dataset.high)) one.setAttribute('aria-current', 'true');
    else one.removeAttribute('aria-current');
}

function scroller(root) {
  let at = root.getRootNode().host ?? root;
  for (; at; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at);
    if ((overflowY === 'auto' || overflowY === 'scroll') && at.clientHeight) return at;
  }
  return null;
}

// What is below (a chart, a font that comes late) may still grow, and the box shrink: stay at the end until the reader scrolls.
function stayAtEnd(root, live) {
  const box = scroller(root);
  if (!box) return;
  live.following = true;
  box.scrollTop = box.scrollHeight;
  if (live.watch) return;
  live.watch = new ResizeObserver(() => { if (live.following) box.scrollTop = box.scrollHeight; });
  for (const grown of [box, ...box.children]) live.watch.observe(grown);
  for (const sign of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    box.addEventListener(sign, () => { live.following = false; }, { passive: true });
}

// On a small screen what is shown stands below what asked for it: it begins at the top then, as does what is too tall
// for the window. What is drawn later may move it: it is brought back until the reader does something. Of two that the
// page brings up by itself, such as the end of the tour and what the inspector shows, the upper one is held.
let held = null;
function bring(root, key) {
  const element = root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (element) { element.scrollIntoView({ block: 'center' }); return; }
  const host = root.getRootNode().host ?? root, box = scroller(root);
  if (held?.host.offsetHeight && held.host.compareDocumentPosition(host) & Node.DOCUMENT_POSITION_FOLLOWING) return;
  release();
  const place = () => {
    const small = innerWidth < 900 || host.offsetHeight > innerHeight - 200;
    host.scrollIntoView({ block: small ? 'start' : 'nearest' });
  };
  place();
  if (!box) return;
  const steady = new ResizeObserver(place);
  held = { host, steady };
  for (let at = host; at && at !== box; at = at.parentElement)
    for (const beside of at.parentElement?.children ?? []) steady.observe(beside);
  for (const sign of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(sign, release, { passive: true, capture: true, once: true });
}

function release() {
  held?.steady.disconnect();
  held = null;
}

// In a list that scrolls on its own, what is pressed is in sight.
function uncover(box) {
  const pressed = box.querySelector('[aria-pressed=true]')?.getBoundingClientRect();
  const { top, bottom } = box.getBoundingClientRect();
  if (pressed && pressed.bottom > bottom) box.scrollTop += pressed.bottom - bottom + 2;
  else if (pressed && pressed.top < top) box.scrollTop -= top - pressed.top + 2;
}

export default async function (component, wear) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector('.sheet');
  root.__wanted = data;
  await wear(root);
  if (root.__wanted !== data) return;  // a later call has overtaken this one
  let live = LIVE.get(root);
  if (!live) {
    live = { drawn: '', end: null, show: null };
    LIVE.set(root, live);
    root.addEventListener('click', event => {
      const hit = event.composedPath().find(element => element.__act && element.tagName !== 'INPUT');
      if (!hit || hit.hasAttribute('disabled')) return;
      if (hit.__act.do === 'copy') {
        navigator.clipboard?.writeText(hit.__act.text).then(() => {
          hit.classList.add('copied');
          setTimeout(() => hit.classList.remove('copied'), 1500);
        });
        return;
      }
      // a quick reply is gone after its use: the next answer is typed, and on a small screen no keyboard comes up
      if ((hit.__act.do === 'say' && (hit.matches(':focus-visible') || matchMedia('(hover: hover)').matches))
          || hit.__act.what === 'talk')
        document.querySelector('[data-testid="stChatInputTextArea"]')?.focus();
      if (hit.__act.what === 'talk') return;
      live.send(hit.__act);
    });
    root.addEventListener('input', ({ target }) => {
      follow(target);
      clearTimeout(target.__moved);
      target.__moved = setTimeout(() => {
        target.__moved = 0;
        live.send({ ...target.__act, value: target.value });
      }, REST_MS);
    });
  }
  live.send = act => setTriggerValue('act', { ...act, at: Date.now() });
  const drawn = JSON.stringify(data.tree);
  if (drawn !== live.drawn) {
    live.drawn = drawn;
    root.className = 'sheet ' + (data.cls ?? '');
    reconcile(root, data.tree, data.icons);
    root.querySelectorAll('input').forEach(follow);
    requestAnimationFrame(() => root.querySelectorAll('.moves').forEach(uncover));
  }
  if (data.end && data.end !== live.end) {
    live.end = data.end;
    requestAnimationFrame(() => stayAtEnd(root, live));
  }
  if (data.show !== live.show) {
    live.show = data.show;
    if (data.show) requestAnimationFrame(() => {
      live.following = false;  // or the end would take it out of sight again
      bring(root, data.show);
    });
  }
  root.dataset.ready = '1';
}
