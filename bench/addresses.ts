/** As many clients as are told apart; a limit per client must not be what is measured. */
export const CLIENTS = 50_000;

/** The network address of a client, which proxies write into `x-forwarded-for`. */
export const addressOf = (client: number): string => {
	const number = client % CLIENTS;
	// Four of them in a /24, which together may send as much as four clients that are alone.
	const network = Math.floor(number / 4);
	return `10.${1 + Math.floor(network / 250)}.${network % 250}.${1 + (number % 4)}`;
};

/** As many are in one run: more would take the load tool long to prepare. */
const PER_RUN = 4992;

let used = 0;

/** The addresses of the next run; over the runs all clients have their turn. */
export const nextAddresses = (count = PER_RUN): readonly string[] => {
	const first = used;
	used += count;
	return Array.from({ length: count }, (_, number) => addressOf(first + number));
};
