import { onMount } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';
import { messages } from '#lib/messages/messages.ts';

/**
 * Whether scripts have taken over the page. Until then the browser shows what the server rendered:
 * times in UTC, in the language of the page. The server never sets it.
 */
let isActive = $state(false);

const MINUTE = 60_000;
const [HOUR, DAY] = [60 * MINUTE, 24 * 60 * MINUTE];

/** Reading it renders again every minute. */
const everyMinute = createSubscriber((update) => {
	const timer = setInterval(update, MINUTE);
	return () => clearInterval(timer);
});

/**
 * Writes times in the language of the browser. `navigator.languages` can hold names that the
 * formatter refuses. It is created once, because that takes long.
 */
const writer = (options: Intl.DateTimeFormatOptions, ofServer: (at: Date) => string) => {
	let made: Intl.DateTimeFormat | null = null;
	return (at: Date): string => {
		if (!isActive) return ofServer(at);
		made ??= new Intl.DateTimeFormat(undefined, options);
		return made.format(at);
	};
};

const timeOfDay = writer({ timeStyle: 'short' }, messages.common.timeOfDay);
let spans: Intl.RelativeTimeFormat | null = null;
let plain: Intl.DateTimeFormat | null = null;

/** Times in words. Reactive: read them in markup or `$derived`. */
const time = {
	/** The day of an instant. */
	date: writer({ dateStyle: 'long' }, messages.common.date),
	/** The day and the time of an instant. */
	moment: writer({ dateStyle: 'long', timeStyle: 'short' }, messages.common.moment),
	/** The time alone, for an instant of today. */
	timeOfDay,
	/** The same under a heading that is a `date`, which names the time zone. */
	clock: (at: Date): string => (isActive ? timeOfDay(at) : messages.common.clock(at)),
	/** How long ago an instant was. Null without JavaScript and after a day. */
	ago: (at: Date): string | null => {
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
	/** The language of these texts. Undefined if it is that of the page. */
	get language(): string | undefined {
		if (!isActive) return undefined;
		plain ??= new Intl.DateTimeFormat();
		return plain.resolvedOptions().locale;
	}
};

/**
 * Times in the reader's time zone and language, once scripts run. Call it while a component is
 * created.
 */
export const readerTime = (): typeof time => {
	onMount(() => {
		isActive = true;
	});
	return time;
};
