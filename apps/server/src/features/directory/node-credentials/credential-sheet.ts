import type { NodeCredentials } from "@busbar/contract/directory/node-credentials.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import pdfmake, { type Content } from "pdfmake";
import { free, prepareFonts } from "#lib/pdf-text.ts";

export interface SheetPage extends NodeCredentials {
  /** Customer, facility and location; empty for a node at no location. */
  place: string;
}

export interface CredentialSheet {
  pages: readonly SheetPage[];
  madeBy: string;
  madeAtMs: number;
}

const pageMargin = 54;

/** What the installer takes along: letter size, a page for each node. */
export async function renderCredentialSheet({ pages, madeBy, madeAtMs }: CredentialSheet): Promise<Uint8Array> {
  prepareFonts();
  const made = `${new Date(madeAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return await pdfmake
    .createPdf({
      info: {
        title: pages.length === 1 ? `Credentials of node ${pages[0]!.serialNumber}` : `Credentials of ${counted(pages.length, "node")}`,
        author: madeBy,
      },
      pageSize: "LETTER",
      pageMargins: [pageMargin, 48, pageMargin, 60],
      defaultStyle: { font: "Roboto", fontSize: 10, lineHeight: 1.2 },
      footer: (page: number, count: number) => ({
        columns: [
          { width: "*", stack: [{ text: ["Issued ", made, " by ", free(madeBy)] }] },
          { width: 80, text: `Page ${page} of ${count}`, alignment: "right" },
        ],
        margin: [pageMargin, 16],
        fontSize: 8,
      }),
      content: pages.map((page, index) => pageOf(page, index > 0)),
    })
    .getBuffer();
}

function pageOf({ serialNumber, place, broker, clientId, userName, password, group, address }: SheetPage, isNext: boolean): Content {
  const { hostname, port } = new URL(broker);
  // Unifont: every letter as wide as the others, and none like another one.
  const exact = (text: string): Content => ({ text, font: "Unifont", fontSize: 12 });
  const facts: [string, Content][] = [
    ["Broker", exact(broker)],
    ["Client id", exact(clientId)],
    ["User name", exact(userName)],
    ["Password", exact(password)],
    ["Group", exact(group)],
  ];
  return {
    ...(isNext ? { pageBreak: "before" } : {}),
    stack: [
      { text: `Node ${serialNumber}`, fontSize: 24, bold: true },
      { ...free(place || "At no location yet"), fontSize: 11, margin: [0, 0, 0, 16] },
      {
        columns: [
          { width: 190, qr: address, fit: 180, eccLevel: "M" },
          {
            width: "*",
            stack: [
              { text: "Whoever has this sheet can connect as this node.", bold: true },
              "Hand it to no one else, and destroy it once the node is connected. New credentials make it void.",
              { text: "The code holds all of what is below.", margin: [0, 8, 0, 0] },
            ],
          },
        ],
      },
      {
        margin: [0, 20, 0, 0],
        layout: "lightHorizontalLines",
        table: {
          widths: [80, "*"],
          body: facts.map(([name, value]) => [
            { text: name, bold: true, margin: [0, 3] },
            { stack: [value], margin: [0, 2] },
          ]),
        },
      },
      {
        margin: [0, 20, 0, 0],
        ol: [
          "Load these values into the node over its service port.",
          `Connect the node to the network. It opens every connection itself: to ${hostname}${port === "" ? "" : `, port ${port}`} (MQTT).`,
          "Within a minute its bolt in the console is green: Nodes, then this serial number.",
        ],
      },
    ],
  };
}
