import { useEffect, useState, type RefObject } from "react";

/** On which sides of a scroller there is more than is in sight: `left`, `right`, `left right` or nothing. */
export function useMoreSideways(scroller: RefObject<HTMLElement | null>): string {
  const [more, setMore] = useState("");
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const left = element.scrollLeft > 0 ? ["left"] : [];
      const right = element.scrollLeft + element.clientWidth < element.scrollWidth - 1 ? ["right"] : [];
      setMore([...left, ...right].join(" "));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    if (element.firstElementChild) sizes.observe(element.firstElementChild);
    return () => {
      element.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, [scroller]);
  return more;
}
