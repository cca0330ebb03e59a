import { onMount } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';
import { messages } from '#lib/messages/messages.ts';

/** Times in words. Reactive: read them in markup or `$derived`. */
export interface ReaderTime {
	/** The day of an instant. */
	date(at: Date): string;
	/** The day and the time of an instant. */
	moment(at: Date): string;
	/** The time alone, for an instant of today. */
	timeOfDay(at: Date): string;
	/** The same under a heading that is a `date`, which names the time zone. */
	clock(at: Date): string;
	/** How long ago an instant was. Null without JavaScript and after a day. */
	ago(at: Date): string | null;
	/** The language of these texts. Undefined if it is that of the page. */
	readonly language: string | undefined;
}

/**
 * Whether scripts have taken over the page. Until then the browser shows what the server rendered:
 * times in UTC, in the language of the page. The server never sets it.
 */
let isActive = $state(false);

const MINUTE = 60_000;
const [HOUR, DAY] = [60 * MINUTE, 24 * 60 * MINUTE];

/**
 * In the language of the browser. `navigator.languages` can hold names that these refuse. Created
 * once: creating a formatter takes long.
 */
let days: Intl.DateTimeFormat | null = null;
let moments: Intl.DateTimeFormat | null = null;
let times: Intl.DateTimeFormat | null = null;
let spans: Intl.RelativeTimeFormat | null = null;

/** Reading it renders again every minute. */
const everyMinute = createSubscriber((update) => {
	const timer = setInterval(update, MINUTE);
	return () => clearInterval(timer);
});

const time: ReaderTime = {
	date: (at) => {
		if (!isActive) return messages.common.date(at);
		days ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });
		return days.format(at);
	},
	moment: (at) => {
		if (!isActive) return messages.common.moment(at);
		moments ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' });
		return moments.format(at);
	},
	timeOfDay: (at) => {
		if (!isActive) return messages.common.timeOfDay(at);
		times ??= new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
		return times.format(at);
	},
	clock: (at) => (isActive ? time.timeOfDay(at) : messages.common.clock(at)),
	ago: (at) => {
		if (!isActive) return null;
		everyMinute();
		const passed = Date.now() - at.getTime();
		if (passed >= DAY) return null;
		// The clocks of the reader and of the server may differ.
		if (passed < MINUTE) return messages.common.justNow;
		spans ??= new Intl.RelativeTimeFormat(undefined, { numeric: 'always' });
		if (passed >= HOUR) return spans.format(-Math.floor(passed / HOUR), 'hour');
		return spans.format(-Math.floor(passed / MINUTE), 'minute');
	},
	get language() {
		if (!isActive) return undefined;
		days ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });
		return days.resolvedOptions().locale;
	}
};

/**
 * Times in the reader's time zone and language, once scripts run. Call it while a component is
 * created.
 */
export const readerTime = (): ReaderTime => {
	onMount(() => {
		isActive = true;
	});
	return time;
};
