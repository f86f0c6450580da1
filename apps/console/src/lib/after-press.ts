const waiting = new Set<() => void>();
let isPressed = false;

// A tap sends these too, and they are what moves the focus. A drag ends without mouseup.
addEventListener("mousedown", () => (isPressed = true), { capture: true });
for (const end of ["mouseup", "dragend"]) addEventListener(end, () => setTimeout(release), { capture: true });

/** After the click that comes with the release. */
function release(): void {
  isPressed = false;
  const due = [...waiting];
  waiting.clear();
  for (const act of due) act();
}

/** At once, or when the pressed mouse was released: what someone presses must not move away under the mouse. */
export function afterPress(act: () => void): void {
  if (isPressed) waiting.add(act);
  else act();
}
