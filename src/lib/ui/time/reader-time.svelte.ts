import { onMount } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';
import { messages } from '#lib/messages/messages.ts';

const { common } = messages;

/**
 * Whether scripts have taken over the page. Until then the browser shows what the server rendered:
 * times in UTC. The server never sets it.
 */
let isActive = $state(false);

const MINUTE = 60_000;
const [HOUR, DAY] = [60 * MINUTE, 24 * 60 * MINUTE];

/** Reading it renders again every minute. */
const everyMinute = createSubscriber((update) => {
	const timer = setInterval(update, MINUTE);
	return () => clearInterval(timer);
});

/** The instant whose time in UTC is the time of `at` in the reader's zone. The texts write UTC. */
const local = (at: Date): Date => new Date(at.getTime() - at.getTimezoneOffset() * MINUTE);

let spans: Intl.RelativeTimeFormat | null = null;

/** Times in words. Reactive: read them in markup or `$derived`. */
const time = {
	date: (at: Date): string => (isActive ? common.day(local(at)) : common.date(at)),
	moment: (at: Date): string => (isActive ? common.moment(local(at), '') : common.moment(at)),
	/** The time alone, for an instant of today. */
	timeOfDay: (at: Date): string => (isActive ? common.clock(local(at)) : common.timeOfDay(at)),
	/** The same under a heading that is a `date`, which names the time zone. */
	clock: (at: Date): string => common.clock(isActive ? local(at) : at),
	/** How long ago an instant was. Null after a day, and without JavaScript after a minute. */
	ago: (at: Date): string | null => {
		everyMinute();
		const passed = Date.now() - at.getTime();
		// The clocks of the reader and of the server may differ.
		if (passed < MINUTE) return common.justNow;
		if (!isActive || passed >= DAY) return null;
		spans ??= new Intl.RelativeTimeFormat(messages.language);
		if (passed >= HOUR) return spans.format(-Math.floor(passed / HOUR), 'hour');
		return spans.format(-Math.floor(passed / MINUTE), 'minute');
	}
};

/** Times in the reader's time zone, once scripts run. Call it while a component is created. */
export const readerTime = (): typeof time => {
	onMount(() => {
		isActive = true;
	});
	return time;
};
