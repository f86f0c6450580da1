/** Where the content store is when it is no folder: `s3://bucket/prefix?endpoint=https://s3.example&region=eu-1`. */
export interface FilesAddress {
  bucket: string;
  /** Of all keys, without a slash at its ends; may be empty. */
  prefix: string;
  /** Of a storage that is not Amazon's. */
  endpoint: string | undefined;
  region: string | undefined;
}

/** @returns undefined for what is no such address */
export function parseFilesAddress(text: string): FilesAddress | undefined {
  if (!URL.canParse(text) || !/^s3:\/\/[a-z0-9][a-z0-9.-]+[a-z0-9](?:[/?]|$)/.test(text)) return undefined;
  const { hostname: bucket, pathname, searchParams, hash } = new URL(text);
  const prefix = decodeURIComponent(pathname).replaceAll(/^\/+|\/+$/g, "");
  const { endpoint, region, ...others } = Object.fromEntries(searchParams);
  if (Object.keys(others).length > 0 || hash !== "" || region === "") return undefined;
  if (endpoint !== undefined && !(/^https?:\/\//.test(endpoint) && URL.canParse(endpoint))) return undefined;
  return { bucket, prefix, endpoint, region };
}
