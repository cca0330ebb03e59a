import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventContext } from '#lib/domain/events/ports.ts';
import type { EventId } from '#lib/domain/ids.ts';

const contexts = new AsyncLocalStorage<() => EventContext>();

/** No argument of the ports, so that code which makes facts can be read without knowing events. */
export const inEventContext = <T>(context: () => EventContext, work: () => T): T =>
	contexts.run(context, work);

/** Work without a context is the system's: a task, or a command that acts for nobody. */
export const eventContext = (id: EventId): EventContext =>
	contexts.getStore()?.() ?? {
		actor: { kind: 'system' },
		// The first 48 bits of the id, in milliseconds.
		at: new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)),
		requestId: null,
		ipAddress: null,
		userAgent: null
	};
