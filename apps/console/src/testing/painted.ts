/** Of one kind of mark, in one look: the numbers that say where, and the words. */
interface Marks {
  look: string;
  numbers: number[];
  words: string[];
}

type Pen = CanvasRenderingContext2D;

/** What is on each canvas since it was cleared. */
const marksOn = new WeakMap<HTMLCanvasElement, Marks[]>();
const pointsOf = new WeakMap<object, number[]>();
const pointsIn = (path: object): number[] => pointsOf.get(path) ?? pointsOf.set(path, []).get(path)!;

const isNumber = (each: unknown): each is number => typeof each === "number";
const pathSteps = ["moveTo", "lineTo", "rect", "arc", "closePath"];

function mark({ canvas }: Pen, look: readonly unknown[], numbers: readonly number[], words: readonly string[] = []): void {
  const marks = marksOn.get(canvas) ?? marksOn.set(canvas, []).get(canvas)!;
  const own = look.join(" ");
  const last = marks.at(-1);
  if (last?.look !== own) marks.push({ look: own, numbers: [...numbers], words: [...words] });
  else {
    last.numbers.push(...numbers);
    last.words.push(...words);
  }
}

const pathOf = (pen: Pen, [path]: readonly unknown[]): readonly number[] => pointsIn(path instanceof Path2D ? path : pen);
const fillOf = ({ fillStyle, globalAlpha }: Pen) => [fillStyle, globalAlpha];
const strokeOf = (pen: Pen) => [pen.strokeStyle, pen.globalAlpha, pen.lineWidth, `[${pen.getLineDash().join()}]`];

const marking: Record<string, (pen: Pen, given: readonly unknown[]) => void> = {
  beginPath: (pen) => void pointsOf.delete(pen),
  stroke: (pen, given) => mark(pen, ["line", ...strokeOf(pen)], pathOf(pen, given)),
  fill: (pen, given) => mark(pen, ["area", ...fillOf(pen)], pathOf(pen, given)),
  fillRect: (pen, given) => mark(pen, ["box", ...fillOf(pen)], given.filter(isNumber)),
  strokeRect: (pen, given) => mark(pen, ["frame", ...strokeOf(pen)], given.filter(isNumber)),
  fillText: (pen, [text, ...where]) =>
    mark(pen, ["words", ...fillOf(pen), pen.font.split(",", 1), pen.textAlign, pen.textBaseline], where.filter(isNumber), [String(text)]),
  clearRect: ({ canvas }, given) => {
    const [left = 0, top = 0, width = 0, height = 0] = given.filter(isNumber);
    if (left <= 0 && top <= 0 && left + width >= canvas.width && top + height >= canvas.height) marksOn.delete(canvas);
  },
};

function follow<Self extends object>(prototype: Self, name: string, note: (self: Self, given: readonly unknown[]) => void): () => void {
  const own = Object.getOwnPropertyDescriptor(prototype, name)!;
  const act = own.value as (...given: unknown[]) => unknown;
  function followed(this: Self, ...given: unknown[]): unknown {
    note(this, given);
    return act.apply(this, given);
  }
  Object.defineProperty(prototype, name, { ...own, value: followed });
  return () => Object.defineProperty(prototype, name, own);
}

/** Remembers what is painted from now on; letters are as wide on every machine. @returns what ends it */
export function followPainting(): () => void {
  const pens = CanvasRenderingContext2D.prototype;
  const measure = Object.getOwnPropertyDescriptor(pens, "measureText")!;
  Object.defineProperty(pens, "measureText", { ...measure, value: (text: string) => ({ width: text.length * 6 }) });
  const ends = [
    ...pathSteps.flatMap((name) =>
      [pens, Path2D.prototype].map((each: object) => follow(each, name, (path, given) => pointsIn(path).push(...given.filter(isNumber)))),
    ),
    ...Object.entries(marking).map(([name, note]) => follow(pens, name, note)),
    () => Object.defineProperty(pens, "measureText", measure),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Where something is, so that any other place reads otherwise. */
function placeWords(numbers: readonly number[]): string {
  const whole = numbers.map(Math.round);
  const sum = whole.reduce((total, each, index) => (total + each * ((index % 97) + 1)) % 1_000_003, 0);
  return `${whole.length} numbers, ${whole.slice(0, 4).join()} … ${whole.slice(-4).join()}, sum ${sum}`;
}

/** What is painted on a canvas, line by line. */
export const paintedOn = (canvas: HTMLCanvasElement): string[] =>
  (marksOn.get(canvas) ?? []).map(({ look, numbers, words }) =>
    [look, ...words.map((each) => JSON.stringify(each)), placeWords(numbers)].join(" "),
  );
