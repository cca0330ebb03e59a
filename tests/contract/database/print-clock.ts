import postgres from 'postgres';
import { databaseClock } from '#lib/adapters/postgres/database-clock.ts';
import { queryTime } from '#lib/adapters/postgres/notification-listener.ts';

// A separate process that measures the time of a database. Prints the clock’s and the machine’s
// time, both at the same kernel time, in milliseconds.

const client = postgres(process.env['DATABASE_URL'] ?? '', { max: 1, onnotice: () => {} });
const clock = databaseClock();
const readings = [];
for (let round = 0; round < 5; round += 1) {
	clock.learn(await queryTime(client, 5000));
	const real = performance.timeOrigin + performance.now();
	readings.push({ database: clock.now().getTime() - real, machine: Date.now() - real });
}
await client.end();
console.log(JSON.stringify(readings.at(-1)));
