/** Bytes as an address of their own, which a page may show as a picture. */
export function dataAddress(bytes: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(reader.result as string));
  reader.addEventListener("error", () => reject(reader.error ?? new Error("The bytes could not be read")));
  reader.readAsDataURL(bytes);
  return promise;
}
