/** A canvas knows no CSS variables: asks the page what one means at this element. */
export function colorResolver(element: HTMLElement): (color: string) => string {
  return (color) => {
    const before = element.style.color;
    element.style.color = color;
    const resolved = getComputedStyle(element).color;
    element.style.color = before;
    return resolved;
  };
}
