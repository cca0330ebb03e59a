import { availableParallelism } from 'node:os';
import { ensureBuild } from '../bin/lib/ensure-build.ts';
import { growth } from './measure/growth.ts';
import { codeRequests, wrongCodes } from './measure/enumeration.ts';
import { sendFlood, slowMail } from './measure/floods.ts';
import { stopPostgres, type Measure } from './measure/kit.ts';
import { halfSent, pageFlood, worstRequests } from './measure/load.ts';
import { forward, metrics } from './measure/overhead.ts';
import { ownSends } from './measure/own-sends.ts';
import { revocation } from './measure/revocation.ts';

// Measures the cases whose bounds are times or shares, against the build, on an idle machine. Exits with
// 1 when a bound is missed. With names of cases as arguments, it measures only these.

const cases: Readonly<Record<string, Measure>> = {
	C02: codeRequests,
	C03: wrongCodes,
	E06: revocation,
	R01: worstRequests,
	R02: halfSent,
	R03: pageFlood,
	R04: slowMail,
	R05: ownSends,
	S02: sendFlood,
	forward,
	growth,
	metrics
};

const ids = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(cases);
const unknown = ids.filter((id) => !(id in cases));
if (unknown.length > 0) {
	console.error(`No case ${unknown.join(', ')}: choose from ${Object.keys(cases).join(', ')}.`);
	process.exit(2);
}
ensureBuild(console.error);

const print = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
console.log(`Node ${process.versions.node}, ${availableParallelism()} cores\n`);
print('Case', 'What', 'Measured', 'Bound', 'Result');
print(...Array.from({ length: 5 }, () => '---'));
try {
	for (const id of ids) {
		await cases[id]?.(({ what, measured, bound, isMet }) => {
			print(id, what, measured, bound, isMet ? 'met' : 'MISSED');
			if (!isMet) process.exitCode = 1;
		});
	}
} finally {
	await stopPostgres();
}
// Connections of the measuring clients are still open.
process.exit();
