// Loaded into a built server with --import. The file TEST_FAILPOINT contains the beginning of a
// statement. Just before such a statement reaches the database, this removes the file, so that the
// next start survives, and kills the process as kill -9 does. The product has no such hook.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import Sqlite from 'better-sqlite3';

const armed = process.env['TEST_FAILPOINT'] ?? '';

const dieAt = (meets: (statement: string) => boolean): void => {
	if (!existsSync(armed) || !meets(readFileSync(armed, 'utf8'))) return;
	rmSync(armed);
	process.kill(process.pid, 'SIGKILL');
	// Nothing more may run until the signal arrives.
	for (;;);
};

// A statement may be prepared once and run often, so each run counts.
const { prepare } = Sqlite.prototype;
Sqlite.prototype.prepare = function (this: Sqlite.Database, source: string) {
	const statement = prepare.call(this, source);
	const { all, get, run } = statement;
	for (const [name, method] of Object.entries({ all, get, run })) {
		Object.defineProperty(statement, name, {
			value: (...values: unknown[]) => {
				dieAt((begin) => source.startsWith(begin));
				return Reflect.apply(method, statement, values);
			}
		});
	}
	return statement;
} as typeof prepare;

/** The prepared statements of PostgreSQL, by name; a statement is sent once and then only named. */
const prepared = new Map<string, string>();

/** The statements that the messages of a chunk run. */
const runBy = (chunk: Buffer): readonly string[] => {
	const run: string[] = [];
	for (let at = 0; at + 5 <= chunk.length;) {
		const end = at + 1 + Math.max(4, chunk.readUInt32BE(at + 1));
		const [first = '', second = ''] = chunk.toString('utf8', at + 5, end).split('\0', 2);
		const type = String.fromCharCode(chunk[at] ?? 0);
		if (type === 'P') prepared.set(first, second);
		if (type === 'B') run.push(prepared.get(second) ?? '');
		at = end;
	}
	return run;
};

const { write } = Socket.prototype;
Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
	const [chunk] = args;
	for (const source of Buffer.isBuffer(chunk) ? runBy(chunk) : []) {
		dieAt((statement) => source.startsWith(statement));
	}
	return write.apply(this, args as Parameters<typeof write>);
} as typeof write;
