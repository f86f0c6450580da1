import { largestTaskPhotoBytes } from "@busbar/contract/directory/node-tasks.ts";

/** Enough to read a label, small enough for the network of a hall. */
const longestSide = 1_600;
/** The first that makes it small enough. */
const attempts = [
  { side: longestSide, quality: 0.8 },
  { side: longestSide, quality: 0.6 },
  { side: longestSide / 2, quality: 0.6 },
];

/** A photo as it is sent: a small JPEG, upright whichever way the phone was held. @throws when the browser cannot read the file */
export async function shrinkPhoto(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    for (const { side, quality } of attempts) {
      const photo = await jpegOf(picture, Math.min(1, side / Math.max(picture.width, picture.height)), quality);
      if (photo && photo.size <= largestTaskPhotoBytes) return photo;
    }
  } finally {
    picture.close();
  }
  throw new Error("The browser made no JPEG of the picture");
}

function jpegOf(picture: ImageBitmap, scale: number, quality: number): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  // What is transparent would become black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, "image/jpeg", quality);
  return promise;
}
