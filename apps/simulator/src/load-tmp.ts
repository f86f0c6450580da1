import { startFleet } from "./fleet.ts"; import { makeFleet } from "./make-fleet.ts";
const n=Number(process.argv[2]); const nodes=makeFleet({seed:1,count:n,firstSerial:10000});
const f=startFleet({nodes,to:"mqtt://127.0.0.1:18830",seed:1,startDelayMaxSeconds:1,connectsPerSecond:2500,faults:{scale:0},log:console.log});
let last=process.cpuUsage();let lp=0;const mem0=process.memoryUsage().rss;
const iv=setInterval(()=>{const c=process.cpuUsage(last);last=process.cpuUsage();const s=f.stats();console.log(((c.user+c.system)/2e6*100).toFixed(0)+"% cpu",JSON.stringify({conn:s.connected,online:s.online,rate:(s.published-lp)/2,hist:s.historical,buf:s.buffered,rss:(process.memoryUsage().rss/1e6)|0,refused:s.refusedConnects}));lp=s.published},2000);
setTimeout(async()=>{clearInterval(iv);const t=performance.now();await f.stop();console.log("stopped in",(performance.now()-t)|0,"ms")},19000);
