// A press counts for the button on which it began, wherever the page moves that while it is pressed: what stands above
// it grows, and a button in the focus that was replaced goes when the press takes the focus. The pointer then comes up
// elsewhere, and browsers send no click. Where the hand itself has moved away, it is still none. After a touch,
// browsers send the click later, so that none can be missed yet: it is left to them.
const BUTTONS = 'button[data-testid^="stBaseButton"], .sheet button';
const SLIP_PX = 8;
let press = null;

addEventListener('pointerdown', event => {
  const button = event.composedPath().find(one => one.matches?.(BUTTONS));
  const { clientX: x, clientY: y } = event;
  press = button && event.pointerType === 'mouse' && event.button === 0 ? { button, x, y } : null;
}, true);

addEventListener('pointerup', event => {
  const ended = press;
  if (!ended || Math.hypot(event.clientX - ended.x, event.clientY - ended.y) > SLIP_PX) return void (press = null);
  setTimeout(() => {  // a click comes before that
    if (press === ended) ended.button.click();
    press = null;
  });
}, true);

addEventListener('click', event => {
  if (press && event.composedPath().includes(press.button)) press = null;
}, true);
