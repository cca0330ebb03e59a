import postgres from 'postgres';
import { databaseClock } from '#lib/adapters/postgres/database-clock.ts';
import { queryTime } from '#lib/adapters/postgres/notification-listener.ts';

// A separate process that measures the time of a database. Prints the clock’s and the machine’s
// time, both at the same kernel time, in milliseconds.

const client = postgres(process.env['DATABASE_URL'] ?? '', { max: 1, onnotice: () => {} });
const clock = databaseClock();
const told = [];
for (let asked = 0; asked < 5; asked += 1) {
	clock.learn(await queryTime(client, 5000));
	const real = performance.timeOrigin + performance.now();
	told.push({ database: clock.now().getTime() - real, machine: Date.now() - real });
}
await client.end();
console.log(JSON.stringify(told.at(-1)));
