/** The number of client addresses. It is high, so that limits per client do not affect a run. */
export const CLIENTS = 50_000;

/** The network address of a client, as a proxy writes it into `x-forwarded-for`. */
export const addressOf = (client: number): string => {
	const number = client % CLIENTS;
	// Four clients per /24: the limit of a network is four times the limit of a client.
	const network = Math.floor(number / 4);
	return `10.${1 + Math.floor(network / 250)}.${network % 250}.${1 + (number % 4)}`;
};

/** Addresses per run. The load tool would need long to prepare more. */
const PER_RUN = 4992;

let used = 0;

/** The addresses of the next run. The runs use all clients in turn. */
export const nextAddresses = (count = PER_RUN): readonly string[] => {
	const first = used;
	used += count;
	return Array.from({ length: count }, (_, number) => addressOf(first + number));
};
