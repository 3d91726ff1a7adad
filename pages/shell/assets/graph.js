// Draws a layered graph with the vis-network that pyvis ships: places are computed by us, physics is off. Labels are
// drawn on a canvas and titles are text nodes, so nothing in the data can become markup.
const LIVE = new WeakMap();
const HEIGHT = 50, ROW = 88, CLOSEST = 70, GAP = 16, WIDEST = 212, COLUMN = 44, EDGE = 26;
const LOOK = {
  ask: ['--st-violet-text-color', '--st-violet-background-color'],
  authorize: ['--st-orange-text-color', '--st-orange-background-color'],
  skill: ['--st-blue-text-color', '--st-blue-background-color'],
  map: ['--st-yellow-text-color', '--st-yellow-background-color'],
  goal: ['--st-green-text-color', '--st-green-background-color'],
  no: ['--st-orange-text-color', '--st-orange-background-color'],
  known: ['--st-gray-text-color', '--st-gray-background-color'],
  fact: ['--st-gray-text-color', '--st-gray-background-color'],
};
async function library(url) {
  if (!globalThis.vis) await import(new URL(url, location.origin).href);
  return globalThis.vis;
}
// Where an arrow only passes a layer it has a place of its own there: a bend, which is no node to see or to click.
const THIN = 12;
const small = node => node.kind === 'known' || node.kind === 'fact';
const pen = document.createElement('canvas').getContext('2d');
function width(node) {  // as wide as its words, within bounds
  if (node.bend) return THIN;
  if (node.wide) return node.wide;
  pen.font = small(node) ? '500 13px sans-serif' : '600 14px sans-serif';
  const words = Math.max(pen.measureText(node.title).width, small(node) ? 0 : pen.measureText(node.detail).width * 0.9);
  node.wide = small(node) ? Math.min(190, Math.max(64, words + 46 + (node.badge ? 22 : 0))) : Math.min(212, Math.max(128, words + 50 + (node.badge ? 20 : 6)));
  return node.wide;
}

function fit(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(text.slice(0, middle) + '…').width <= room) low = middle; else high = middle - 1;
  }
  return text.slice(0, low).trimEnd() + '…';
}

// A title that is too long for its box goes on in a second line: what tells two boxes apart often comes last.
function lines(context, text, room) {
  if (context.measureText(text).width <= room) return [text];
  const words = text.split(' ');
  let first = words.shift();
  while (words.length && context.measureText(`${first} ${words[0]}`).width <= room) first += ` ${words.shift()}`;
  return (words.length ? [first, words.join(' ')] : [first]).map(line => fit(context, line, room));
}

function painter(live, id) {
  return ({ ctx, x, y, state: { selected, hover } }) => {
    const node = live.byId.get(id);  // as it is now: vis keeps the first painter of a node
    const w = width(node), h = small(node) ? 34 : HEIGHT, [ink, tint] = LOOK[node.kind] ?? LOOK.fact;
    const color = live.color, faded = ['later', 'never', 'ruled_out'].includes(node.state);
    const chosen = selected || live.chosen.has(node.id);
    return {
      drawNode() {
        ctx.save();
        ctx.beginPath();
        if (node.kind === 'map') {  // one thing becomes another: a slanted box, which no other kind has
          const slant = 12;
          ctx.moveTo(x - w / 2 + slant, y - h / 2); ctx.lineTo(x + w / 2, y - h / 2);
          ctx.lineTo(x + w / 2 - slant, y + h / 2); ctx.lineTo(x - w / 2, y + h / 2);
          ctx.closePath();
        } else ctx.roundRect(x - w / 2, y - h / 2, w, h, small(node) ? h / 2 : 10);
        ctx.fillStyle = faded ? color('--st-background-color') : color(tint);
        ctx.fill();
        ctx.lineWidth = chosen ? 3 : hover ? 2 : 1.2;
        ctx.setLineDash(node.state === 'never' || node.state === 'ruled_out' ? [3, 4] : faded ? [6, 4] : []);
        ctx.strokeStyle = node.state === 'failed' ? color('--st-red-text-color') : color(ink);
        ctx.stroke();
        ctx.setLineDash([]);
        if (chosen) {
          ctx.globalAlpha = 0.25; ctx.lineWidth = 9; ctx.stroke(); ctx.globalAlpha = 1;
        }
        const mark = (name, at, size, ink) => {
          const path = live.path(name);
          if (!path) return;
          ctx.save(); ctx.translate(at - size / 2, y - size / 2); ctx.scale(size / 24, size / 24);
          ctx.fillStyle = ink; ctx.fill(path); ctx.restore();
        };
        const left = x - w / 2 + (small(node) ? 17 : 22);
        mark(node.icon, left, small(node) ? 14 : 19, color(ink));
        const badge = live.path(node.badge) ? 22 : 0;
        if (badge) mark(node.badge, x + w / 2 - 17, 16,
          node.state === 'failed' ? color('--st-red-text-color') : node.state === 'done' ? color('--st-green-text-color') : color(ink));
        ctx.textBaseline = 'middle'; ctx.textAlign = 'left';
        const room = w - (small(node) ? 38 : 50) - badge, text = x - w / 2 + (small(node) ? 29 : 40);
        ctx.fillStyle = color('--st-text-color');
        const detailed = node.detail && !small(node), face = size => `${small(node) ? 500 : 600} ${size}px ${live.font}`;
        ctx.font = face(small(node) ? 13 : 14);
        const whole = ctx.measureText(node.title).width <= room;
        if (!whole) ctx.font = face(small(node) ? 12 : 13);
        const title = whole ? [node.title] : lines(ctx, node.title, room), high = title.length > 1;
        title.forEach((line, i) => ctx.fillText(line, text, y + (detailed ? (high ? -15 : -8) : (high ? -6 : 1)) + 14 * i));
        if (detailed) {
          ctx.fillStyle = color('--st-gray-text-color');
          ctx.font = `400 ${high ? 12 : 12.5}px ${live.font}`;
          ctx.fillText(fit(ctx, node.detail, room), text, y + (high ? 14 : 11));
        }
        ctx.restore();
      },
      nodeDimensions: { width: w, height: h },
    };
  };
}

function byLayer(nodes) {
  const rows = [];
  for (const node of nodes) (rows[node.layer] ??= []).push(node);
  return rows.filter(Boolean).map(row => row.sort((a, b) => a.place - b.place));
}

// A row that is wider than the room goes on in the next: small screens scroll down rather than shrink.
function brokenTo(room, rows) {
  return rows.flatMap(row => {
    const parts = [[]];
    let used = 0;
    for (const node of row) {
      if (used && used + width(node) > room) { parts.push([]); used = 0; }
      parts.at(-1).push(node);
      used += width(node) + GAP;
    }
    return parts;
  });
}

// Rows that go on in the next one change how far arrows reach: in each row that one now passes, it gets a place between
// the nodes there, as near as can be to the straight line between its ends.
function makeWay(rows, edges) {
  const row = new Map(), x = new Map();
  rows.forEach((nodes, depth) => {
    let at = -nodes.reduce((sum, node) => sum + width(node) + GAP, 0) / 2;
    for (const node of nodes) { row.set(node.id, depth); x.set(node.id, at + width(node) / 2); at += width(node) + GAP; }
  });
  const by = edges.map((edge, i) => {
    const [a, b] = [row.get(edge.from), row.get(edge.to)], step = Math.sign(b - a), ids = [];
    for (let depth = a + step; step && depth !== b; depth += step) {
      const id = `bend ${i} ${ids.length}`;
      x.set(id, x.get(edge.from) + (x.get(edge.to) - x.get(edge.from)) * (depth - a) / (b - a));
      rows[depth].push({ id, bend: true });
      ids.push(id);
    }
    return ids;
  });
  for (const nodes of rows) nodes.sort((one, other) => x.get(one.id) - x.get(other.id));
  return by;
}

// Across is the layer when there is room for all layers side by side, down otherwise.
// Words are not drawn smaller for a wide row, which goes on below, nor for a tall graph as long as its rows can move up.
function settle(nodes, bends, edges, room, tallest) {
  const layers = Math.max(0, ...nodes.map(n => n.layer)) + 1;
  const across = layers * (WIDEST + COLUMN) - COLUMN <= room;
  let rows = byLayer([...nodes, ...bends]), by = edges.map((edge, i) => edge.by.map((_, k) => `bend ${i} ${k}`));
  const fitting = across || rows.every(row => row.reduce((sum, node) => sum + width(node) + GAP, -GAP) <= Math.max(room, 2 * WIDEST));
  if (!fitting) {
    rows = brokenTo(Math.max(room, 2 * WIDEST), byLayer(nodes));
    by = makeWay(rows, edges);
  }
  const places = {}, down = Math.min(ROW, Math.max(CLOSEST, (tallest - HEIGHT) / Math.max(1, rows.length - 1)));
  let wide = 0, tall = 0;
  rows.forEach((row, layer) => {
    const size = node => node.bend ? THIN + GAP / 2 : (across ? HEIGHT : width(node)) + GAP;
    const total = row.reduce((sum, node) => sum + size(node), 0);
    let at = -total / 2;
    for (const node of row) {
      const middle = at + size(node) / 2; at += size(node);
      places[node.id] = across ? { x: layer * (WIDEST + COLUMN), y: middle } : { x: middle, y: layer * down };
    }
    if (across) tall = Math.max(tall, total); else wide = Math.max(wide, total);
  });
  if (across) wide = layers * (WIDEST + COLUMN) - COLUMN; else tall = rows.length * down - down + HEIGHT;
  const along = (rows.length - 1) / 2;
  return { places, by, wide, tall, across, middle: across ? { x: along * (WIDEST + COLUMN), y: 0 } : { x: 0, y: along * down } };
}

function tip(text) { const box = document.createElement('div'); box.textContent = text; return box; }

export default async function (component, wear) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector('.graph');
  root.__wanted = data;
  const [vis] = await Promise.all([library(data.library), wear(root)]);
  if (root.__wanted !== data) return;  // a later call has overtaken this one
  let live = LIVE.get(root);
  const fresh = !live;
  if (fresh) {
    live = { paths: new Map(), chosen: new Set(), shape: '', drawn: '' };
    LIVE.set(root, live);
    live.nodes = new vis.DataSet();
    live.edges = new vis.DataSet();
  }
  let styles = getComputedStyle(root), ink = new Map();
  live.color = name => {
    if (!ink.has(name)) ink.set(name, styles.getPropertyValue(name).trim() || '#888');
    return ink.get(name);
  };
  live.font = styles.fontFamily;
  live.path = name => {
    if (!name || !data.icons[name]) return null;
    if (!live.paths.has(name)) live.paths.set(name, new Path2D(data.icons[name]));
    return live.paths.get(name);
  };
  live.chosen = new Set(data.chosen);
  live.byId = new Map(data.nodes.map(n => [n.id, n]));
  live.send = id => setTriggerValue('node', { id, at: Date.now() });
  const room = root.clientWidth || 600;
  const bends = data.edges.flatMap((edge, i) => edge.by.map(([layer, place], k) => ({ id: `bend ${i} ${k}`, bend: true, layer, place })));
  const { places, by, wide, tall, middle, across } = settle(data.nodes, bends, data.edges, room - EDGE, data.tallest);
  const scale = Math.min(1, (room - EDGE) / wide, data.tallest / tall);
  const height = Math.round(Math.max(110, tall * scale + EDGE));
  root.style.height = height + 'px';
  const nodes = data.nodes.map(n => ({ id: n.id, shape: 'custom', ctxRenderer: painter(live, n.id), title: tip(n.tip), ...places[n.id] }));
  nodes.push(...by.flat().map(id => ({ id, shape: 'dot', size: 0.1, color: 'transparent', chosen: false, ...places[id] })));
  const edges = data.edges.flatMap((e, i) => {
    const way = [e.from, ...by[i], e.to];
    return way.slice(1).map((to, k) => ({ id: `${i} ${k}`, from: way[k], to, tip: e.tip, faded: e.faded, last: to === e.to }));
  }).map(({ id, from, to, last, ...e }) => ({ id, from, to, title: tip(e.tip), arrows: { to: { enabled: last, scaleFactor: 0.55 } },
    smooth: { type: 'cubicBezier', forceDirection: across ? 'horizontal' : 'vertical', roundness: 0.4 },
    dashes: e.faded ? [4, 4] : false, color: { color: live.color('--st-gray-text-color'), highlight: live.color('--st-link-color'), opacity: e.faded ? 0.45 : 0.75 } }));
  const shape = JSON.stringify([data.nodes.map(n => n.id), data.edges, room]);
  const keep = new Set(nodes.map(n => n.id));
  live.nodes.remove(live.nodes.getIds().filter(id => !keep.has(id)));
  live.nodes.update(nodes);
  if (shape !== live.shape) { live.edges.clear(); live.edges.add(edges); } else live.edges.update(edges);
  if (fresh) {
    live.network = new vis.Network(root, { nodes: live.nodes, edges: live.edges }, {
      physics: false, layout: { improvedLayout: false },
      edges: { arrows: { to: { enabled: true, scaleFactor: 0.55 } }, width: 1.4,
        smooth: { type: 'cubicBezier', roundness: 0.35 } },
      interaction: { hover: true, dragNodes: false, zoomView: false, selectConnectedEdges: false, multiselect: false,
        keyboard: { enabled: false } },
    });
    live.network.on('click', hit => { if (live.byId.has(hit.nodes[0])) live.send(hit.nodes[0]); });
    live.network.on('hoverNode', hit => { if (live.byId.has(hit.node)) root.style.cursor = 'pointer'; });
    live.network.on('blurNode', () => { root.style.cursor = 'default'; });
    live.network.on('afterDrawing', () => { root.dataset.ready = '1'; });
    new ResizeObserver(() => live.show()).observe(root);
    root.__network = live.network;
  }
  live.show = () => {
    const now = Math.min(1, ((root.clientWidth || room) - EDGE) / wide, data.tallest / tall);
    const high = Math.round(Math.max(110, tall * now + EDGE));  // a wider page has room for larger nodes
    if (high !== live.high) {
      live.high = high;
      root.style.height = high + 'px';
      live.network.setSize('100%', high + 'px');
    }
    live.network.moveTo({ position: middle, scale: now, animation: false });
  };
  if (shape !== live.shape) { live.shape = shape; live.high = null; live.show(); }
  live.network.unselectAll();
  live.network.redraw();
  root.dataset.drawn = data.nodes.length;
}
