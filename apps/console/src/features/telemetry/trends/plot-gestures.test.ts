import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { attachGestures } from "./plot-gestures.ts";
import { createPlotView } from "./plot-view.ts";
import type { TimeSpan } from "./zone-time.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const left = 100;
const whole = { from: 0, to: 1_000 };

/** A plot that is as many pixels wide as its span has seconds. */
function plotOf(bound = (span: TimeSpan) => span) {
  const element = Object.assign(new EventTarget(), { getBoundingClientRect: () => ({ left, width: 1_000 }) });
  const view = createPlotView(whole);
  const settled: TimeSpan[] = [];
  const onReset = vi.fn<() => void>();
  const handlers = { bound, onSettle: (span: TimeSpan) => void settled.push(span), onReset };
  const detach = attachGestures(element as unknown as HTMLElement, view, () => handlers);
  const send = (type: string, at: number, more: object = {}) => {
    const event = new Event(type, { cancelable: true });
    element.dispatchEvent(Object.assign(event, { pointerId: 1, pointerType: "mouse", button: 0, clientX: left + at, ...more }));
    return event;
  };
  const shown = () => {
    const { span, selection, isHeld } = view.get();
    return { span, selection, isHeld };
  };
  return { view, settled, onReset, detach, send, shown };
}

const free = (span: TimeSpan) => ({ span, selection: undefined, isHeld: false });
const held = (span: TimeSpan) => ({ ...free(span), isHeld: true });
const shift = { shiftKey: true };
const finger = (pointerId: number) => ({ pointerType: "touch", pointerId });

test("a mouse over the plot is its cursor, within its ends, until it leaves; a finger is none", () => {
  const { view, send } = plotOf();
  const cursors = [300, -50, 1_500].map((at) => (send("pointermove", at), view.get().cursor));
  expect(cursors).toEqual([300, 0, 1_000]);
  send("pointermove", 500, finger(1));
  send("pointerleave", 500, finger(1));
  expect(view.get().cursor).toBe(1_000);
  send("pointerleave", 500);
  expect(view.get().cursor).toBeUndefined();
});

test("a drag marks what it zooms to, in both directions, and keeps its cursor outside", () => {
  const { view, settled, send, shown } = plotOf();
  send("pointerdown", 400);
  expect([view.get().cursor, shown()]).toEqual([400, held(whole)]);
  send("pointermove", 600);
  expect([view.get().cursor, view.get().selection]).toEqual([600, { from: 400, to: 600 }]);
  send("pointermove", 150);
  send("pointerleave", 150);
  expect([view.get().cursor, view.get().selection]).toEqual([150, { from: 150, to: 400 }]);
  send("pointerup", 150, { pointerId: 2 });
  expect(settled).toEqual([]);
  send("pointerup", 150);
  expect([settled, shown()]).toEqual([[{ from: 150, to: 400 }], free({ from: 150, to: 400 })]);
});

test("a press, what is narrower than five pixels and another button zoom to nothing", () => {
  const { settled, send, shown } = plotOf();
  const drag = (to: number, more?: object) => {
    send("pointerdown", 400, more);
    if (to !== 400) send("pointermove", to, more);
    send("pointerup", to, more);
  };
  drag(400);
  drag(404);
  drag(600, { button: 2 });
  expect([settled, shown()]).toEqual([[], free(whole)]);
  drag(405);
  expect(settled).toEqual([{ from: 400, to: 405 }]);
});

test.each([
  ["Shift", shift],
  ["a finger", finger(1)],
])("with %s a drag moves the span, and one of less than a pixel does not", (_, how) => {
  const { settled, send, shown } = plotOf();
  send("pointerdown", 500, how);
  send("pointermove", 499.5, how);
  send("pointerup", 499.5, how);
  expect([settled, shown()]).toEqual([[], free(whole)]);
  send("pointerdown", 500, how);
  send("pointermove", 400, how);
  send("pointermove", 300, how);
  expect(shown()).toEqual(held({ from: 200, to: 1_200 }));
  send("pointerup", 300, how);
  expect([settled, shown()]).toEqual([[{ from: 200, to: 1_200 }], free({ from: 200, to: 1_200 })]);
});

test("two fingers zoom to where they are, but not where they touch each other; the one that stays moves on", () => {
  const { settled, send, shown } = plotOf();
  send("pointerdown", 250, finger(1));
  send("pointerdown", 750, finger(2));
  send("pointermove", 0, finger(1));
  send("pointermove", 1_000, finger(2));
  expect(shown()).toEqual(held({ from: 250, to: 750 }));
  for (const at of [15, -1]) send("pointermove", at, finger(2));
  expect(shown()).toEqual(held({ from: 250, to: 750 }));
  send("pointermove", 1_000, finger(2));
  send("pointerup", 0, finger(1));
  expect(settled).toEqual([]);
  send("pointermove", 500, finger(2));
  send("pointerup", 500, finger(2));
  expect([settled, shown()]).toEqual([[{ from: 500, to: 1_000 }], free({ from: 500, to: 1_000 })]);
});

test("fingers that change sides turn nothing round", () => {
  const { send, shown } = plotOf();
  send("pointerdown", 250, finger(1));
  send("pointerdown", 750, finger(2));
  send("pointermove", 900, finger(1));
  expect(shown()).toEqual(held(whole));
});

test("what is taken away from the page is as it was before", () => {
  const { settled, send, shown } = plotOf();
  send("pointerdown", 500, shift);
  send("pointermove", 300, shift);
  send("pointercancel", 300, { pointerId: 2 });
  expect(shown()).toEqual(held({ from: 200, to: 1_200 }));
  send("pointercancel", 300);
  expect(shown()).toEqual(free(whole));
  send("pointerdown", 500);
  send("pointermove", 300);
  send("pointercancel", 300);
  expect(shown()).toEqual(free(whole));
  send("pointerup", 300);
  expect(settled).toEqual([]);
});

const halving = { deltaX: 0, deltaY: -Math.log(2) / 0.0015 };
const near = ({ from, to }: TimeSpan): TimeSpan => ({ from: expect.closeTo(from, 6), to: expect.closeTo(to, 6) });

test("the wheel zooms at the cursor and moves sideways, and settles once when it has come to rest", () => {
  const { settled, send, shown } = plotOf();
  expect(send("wheel", 200, halving).defaultPrevented).toBe(true);
  expect(shown()).toEqual(held(near({ from: 100, to: 600 })));
  vi.advanceTimersByTime(249);
  send("wheel", 200, { deltaX: 100, deltaY: -50 });
  expect(shown()).toEqual(held(near({ from: 150, to: 650 })));
  vi.advanceTimersByTime(249);
  expect(settled).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([settled, shown()]).toEqual([[near({ from: 150, to: 650 })], free(near({ from: 150, to: 650 }))]);
  // Back again: each gesture begins with what is shown.
  send("wheel", 0, { deltaX: -100, deltaY: 0 });
  vi.advanceTimersByTime(250);
  expect(settled[1]).toEqual(near({ from: 100, to: 600 }));
});

test.each([
  [0, { from: 0, to: 500 }],
  [1_000, { from: 500, to: 1_000 }],
])("a zoom at %d moves one end only", (at, span) => {
  const { settled, send } = plotOf();
  send("wheel", at, halving);
  vi.advanceTimersByTime(250);
  expect(settled).toEqual([near(span)]);
});

test("a span stays within what there can be, and settles on nothing where none of it is left", () => {
  const { settled, send, shown } = plotOf((span) => (span.to > 1_000 ? whole : span));
  send("pointerdown", 500, shift);
  send("pointermove", 300, shift);
  expect(shown()).toEqual(held(whole));
  send("pointerup", 300, shift);
  send("wheel", 500, { deltaX: 100, deltaY: 0 });
  vi.advanceTimersByTime(250);
  expect([settled, shown()]).toEqual([[], free(whole)]);
});

test("two presses reset; what was attached is taken away with the wheel's rest", () => {
  const { settled, onReset, detach, send, shown } = plotOf();
  send("dblclick", 500);
  expect(onReset).toHaveBeenCalledOnce();
  send("wheel", 500, halving);
  detach();
  vi.advanceTimersByTime(250);
  for (const type of ["dblclick", "wheel", "pointerdown"]) send(type, 500, halving);
  expect([onReset.mock.calls.length, settled, shown().span]).toEqual([1, [], near({ from: 250, to: 750 })]);
});
