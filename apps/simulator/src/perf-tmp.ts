import { createPlant } from "./node-model/plant.ts";
import { createScalarRow } from "./node-model/scalar-row.ts";
import { sampleNode } from "./testing/sample-node.ts";
const profiles=["pump","fan","conveyor","crusher","chipper","compressor","workCycle"] as const;
const nodes=Array.from({length:10000},(_,i)=>sampleNode({serial:10000+i,facilityKey:`f${i>>4}`,loadProfile:profiles[i%7]!,shift:i%2?"continuous":i%4?"day":"twoShift",starter:i%4===0?"VFD":"FVNR"}));
const plant=createPlant({seed:1,nodes,faultScale:1,script:[]});
const row=createScalarRow(); const models=[...plant.nodes.values()];
let t=1_770_000_000;
for(let r=0;r<3;r++){const a=performance.now();let n=0;for(let s=0;s<20;s++){t++;for(const m of models){m.link.at(t);m.model.scalarAt(t,row);n++}}const b=performance.now();console.log(((b-a)*1e6/n).toFixed(0),"ns per node-second (+link)");}
const a=performance.now();let n=0;for(let s=0;s<20;s++){t++;for(const m of models){m.model.scalarAt(t,row);n++}}console.log(((performance.now()-a)*1e6/n).toFixed(0),"ns scalarAt");
const c=performance.now();console.log(plant.faultsStartingIn(t,t+60).length,(performance.now()-c).toFixed(1),"ms list day");console.log(process.memoryUsage().rss/1e6);
for (const i of [0,1,2,3,5,6]){const m=models[i]!.model;const a=performance.now();for(let s=0;s<1e6;s++)m.scalarAt(t+s*10,row);console.log(i,nodes[i]!.loadProfile,nodes[i]!.shift,((performance.now()-a)).toFixed(0),"ns same model");}
