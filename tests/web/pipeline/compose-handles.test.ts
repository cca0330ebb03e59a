import type { RequestEvent } from '@sveltejs/kit';
import type { Handle, ResolveOptions } from '@sveltejs/kit/hooks';
import { expect, test } from 'vitest';
import { composeHandles } from '#lib/adapters/web/pipeline/compose-handles.ts';

const event = {} as RequestEvent;

/** Runs them around a route that notes the options it was resolved with. */
const run = async (...hooks: readonly Handle[]) => {
	const resolved: (ResolveOptions | undefined)[] = [];
	const answer = await composeHandles(...hooks)({
		event,
		resolve: async (_, options) => {
			resolved.push(options);
			return new Response('route');
		}
	});
	return { text: await answer.text(), resolved };
};

test('hooks run from the first to the last, and return in reverse order', async () => {
	const steps: string[] = [];
	const step =
		(name: string): Handle =>
		async ({ event, resolve }) => {
			steps.push(`${name} in`);
			const answer = await resolve(event);
			steps.push(`${name} out`);
			return answer;
		};
	expect((await run(step('a'), step('b'))).text).toBe('route');
	expect(steps).toEqual(['a in', 'b in', 'b out', 'a out']);
});

test('a hook that returns a response ends the chain', async () => {
	const { text, resolved } = await run(
		({ event, resolve }) => resolve(event),
		() => new Response('refused'),
		() => Promise.reject(new Error('not asked'))
	);
	expect([text, resolved]).toEqual(['refused', []]);
});

test('an error of a hook, synchronous or not, reaches the earlier ones', async () => {
	const caught: Handle = async ({ event, resolve }) => {
		try {
			return await resolve(event);
		} catch (error) {
			return new Response(`caught ${String(error)}`);
		}
	};
	const later: Handle = async () => {
		throw new Error('later');
	};
	const atOnce: Handle = () => {
		throw new Error('at once');
	};
	expect((await run(caught, later)).text).toBe('caught Error: later');
	expect((await run(caught, atOnce)).text).toBe('caught Error: at once');
});

test('options of all hooks reach the route, and the later hook wins for the same name', async () => {
	const [one, other] = [() => true, () => false];
	const { resolved } = await run(
		({ event, resolve }) => resolve(event, { preload: one, filterSerializedResponseHeaders: one }),
		({ event, resolve }) => resolve(event, { preload: other })
	);
	expect(resolved).toEqual([{ preload: other, filterSerializedResponseHeaders: one }]);
});
