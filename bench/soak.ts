import { setTimeout as pause } from 'node:timers/promises';
import { createHistogram } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.ts';
import { openLoop } from './soak/open-loop.ts';
import { MIX, peopleOf, type People } from './soak/people.ts';
import { growth, latencies } from './soak/report.ts';
import { setStage } from './soak/stage.ts';
import { watch } from './soak/watch.ts';

/**
 * Sends mixed traffic at a given rate for a given time to two instances and restarts one of them
 * half-way. Prints the response times, and whether memory or open files grow. Sets the exit code
 * when a single request fails.
 */
export const soak = async (args: readonly string[]): Promise<void> => {
	const { values } = parseArgs({
		args: [...args],
		options: {
			minutes: { type: 'string', default: '10' },
			/** Requests per second. */
			rate: { type: 'string', default: '500' },
			on: { type: 'string', default: 'postgres' }
		}
	});
	const { on } = values;
	if (on !== 'sqlite' && on !== 'postgres') throw new Error('--on takes sqlite or postgres');
	const [seconds, rate] = [Number(values.minutes) * 60, Number(values.rate)];

	let people: People | undefined;
	const stage = await setStage(on, (mailed) => people?.hear(mailed));
	try {
		people = peopleOf(stage.address);
		await people.arrive();
		const { act } = people;
		const watching = watch(stage.instances);
		const restarting = pause(seconds * 500).then(() => stage.instances[0]?.restart());
		const outcome = await openLoop({ mix: MIX, rate, seconds, act });
		await restarting;
		const lives = watching.stop();
		// The balancer reports its errors with a delay.
		await pause(1000);

		const requests = [...outcome.times.values()].reduce((sum, { count }) => sum + count, 0);
		console.log(
			`${requests} requests in ${outcome.took.toFixed(0)} s (${(requests / outcome.took).toFixed(0)}/s) on ${on}, two instances, one restarted half-way`
		);
		console.log();
		for (const line of latencies(outcome, createHistogram())) console.log(line);
		for (const line of growth(lives)) console.log(line);
		for (const line of describeMachine()) console.log(line);
		const failed = [...outcome.errors].map(([reason, count]) => `${count} × ${reason}`);
		console.log(failed.length === 0 ? 'no errors' : `BROKEN: ${failed.join('; ')}`);
		for (const trouble of stage.troubles.slice(0, 10)) console.log(`balancer: ${trouble}`);
		if (failed.length > 0 || stage.troubles.length > 0) process.exitCode = 1;
	} finally {
		await stage.stop();
	}
};
