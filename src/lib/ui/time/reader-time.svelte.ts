import { onMount } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';
import { messages } from '#lib/messages/messages.ts';

const { common } = messages;

/**
 * Whether scripts have taken over the page. Until then the browser shows what the server rendered:
 * times in UTC. The server never sets it.
 */
let isActive = $state(false);

const MINUTE_MS = 60_000;

/** Reading it renders again every minute. */
const everyMinute = createSubscriber((update) => {
	const timer = setInterval(update, MINUTE_MS);
	return () => clearInterval(timer);
});

/** Shifts an instant so that the texts, which write times in UTC, show the reader's time. */
const local = (at: Date): Date => new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS);

/** Times in words. Reactive: read them in markup or `$derived`. */
const time = {
	date: (at: Date): string => (isActive ? common.day(local(at)) : common.date(at)),
	moment: (at: Date): string => (isActive ? common.moment(local(at), '') : common.moment(at)),
	/** The time alone, for an instant of today. */
	timeOfDay: (at: Date): string => (isActive ? common.clock(local(at)) : common.timeOfDay(at)),
	/** The time alone, under a heading that is a `date`, which names the time zone. */
	clock: (at: Date): string => common.clock(isActive ? local(at) : at),
	/** Null after a minute. The clocks of the reader and of the server may differ. */
	justNow: (at: Date): string | null => {
		everyMinute();
		return Date.now() - at.getTime() < MINUTE_MS ? common.justNow : null;
	}
};

/** Times in the reader's time zone, once scripts run. Call it while a component is created. */
export const readerTime = (): typeof time => {
	onMount(() => {
		isActive = true;
	});
	return time;
};
