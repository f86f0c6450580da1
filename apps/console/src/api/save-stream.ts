import { downloadFile } from "#lib/download.ts";
import { ApiError, networkFailureMessage } from "#lib/api-error.ts";

/** Reads an answer to its end, reporting its progress, and hands it to the browser as a file. @throws ApiError when it breaks off */
export async function saveStream(response: Response, name: string, onProgress?: (bytes: number) => void): Promise<void> {
  const reader = response.body?.getReader();
  const parts: BlobPart[] = [];
  let bytes = 0;
  try {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      parts.push(chunk.value);
      bytes += chunk.value.length;
      onProgress?.(bytes);
    }
  } catch {
    throw new ApiError(0, "NETWORK", networkFailureMessage);
  }
  downloadFile(name, new Blob(parts, { type: response.headers.get("content-type") ?? "application/octet-stream" }));
}
