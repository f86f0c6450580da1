import { useEffect, useState, type CSSProperties } from "react";
import "./icon-tips.css";

interface Tip {
  words: string;
  style: CSSProperties;
}

const edgePx = 8;

/**
 * Words beside every icon that is a button or a link and shows no words of its own, while the mouse or the keyboard is on it. Once for
 * the whole page, so that no icon can be without.
 */
export function IconTips() {
  const [tip, setTip] = useState<Tip | undefined>();
  useEffect(() => {
    let shownFor: HTMLElement | undefined;
    let title: string | null = null;
    const hide = () => {
      // Taken away while it was shown, or the browser would show it a second time.
      if (shownFor && title !== null) shownFor.title = title;
      shownFor = undefined;
      setTip(undefined);
    };
    const showFor = (target: EventTarget | null) => {
      const element = iconOf(target);
      if (element === shownFor) return;
      hide();
      const words = element && wordsOf(element);
      if (!element || !words) return;
      shownFor = element;
      title = element.getAttribute("title");
      element.removeAttribute("title");
      setTip({ words, style: placeOf(element) });
    };
    const onPointer = (event: PointerEvent) => {
      if (event.pointerType !== "touch") showFor(event.target);
    };
    const onFocus = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.matches(":focus-visible")) showFor(event.target);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") hide();
    };
    const capture = { capture: true };
    document.addEventListener("pointerover", onPointer);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", hide);
    document.addEventListener("pointerdown", hide);
    document.addEventListener("keydown", onKey);
    document.addEventListener("scroll", hide, capture);
    return () => {
      hide();
      document.removeEventListener("pointerover", onPointer);
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("pointerdown", hide);
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("scroll", hide, capture);
    };
  }, []);
  if (!tip) return null;
  // Its words are the icon's accessible name already.
  return (
    <div className="icon-tip no-print" style={tip.style} aria-hidden="true">
      {tip.words}
    </div>
  );
}

/** The button or link around what was pointed at, when all it shows is an icon. */
function iconOf(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  const element = target.closest<HTMLElement>("button, a, [role='button'], summary");
  if (!element || !element.querySelector("svg")) return undefined;
  const hidden = [...element.querySelectorAll(".visually-hidden")].map(({ textContent }) => textContent).join("");
  return element.textContent.trim() === hidden.trim() ? element : undefined;
}

function wordsOf(element: HTMLElement): string {
  return element.getAttribute("title") || element.getAttribute("aria-label") || element.textContent.trim();
}

/** Below the icon, above it at the bottom of the page; never outside. */
function placeOf(element: HTMLElement): CSSProperties {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isLow = bottom > clientHeight - 48;
  const isRight = left > clientWidth / 2;
  return {
    ...(isLow ? { bottom: clientHeight - top + 4 } : { top: bottom + 4 }),
    ...(isRight ? { right: Math.max(edgePx, clientWidth - right) } : { left: Math.max(edgePx, left) }),
  };
}
