export interface NewTab {
  /** @returns false when the browser did not allow a tab */
  go: (address: string) => boolean;
  close: () => void;
}

/** A tab opened at once, while the browser still counts it as the person's click; what it shows is known later. */
export function openNewTab(title: string): NewTab {
  const tab = window.open("", "_blank");
  if (tab) {
    tab.opener = null;
    tab.document.title = title;
  }
  return {
    go(address) {
      if (!tab || tab.closed) return false;
      tab.location.replace(address);
      return true;
    },
    close: () => tab?.close(),
  };
}
