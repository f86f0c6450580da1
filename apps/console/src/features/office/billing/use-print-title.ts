import { useEffect } from "react";

/** Title of the paper, and of the file when it is printed to one. */
export function usePrintTitle(title: string): void {
  useEffect(() => {
    let before = document.title;
    const begin = () => {
      before = document.title;
      document.title = title;
    };
    const end = () => {
      document.title = before;
    };
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, [title]);
}
