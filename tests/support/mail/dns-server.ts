import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, isIPv6, type AddressInfo, type Server, type Socket } from 'node:net';
import { entryOf, type DnsZone } from './dns-zone.ts';

export interface DnsServer {
	/** For Node's `setServers`. */
	readonly address: string;
	/** Names that were asked over TCP. */
	readonly overTcp: readonly string[];
	/** All names that were asked. */
	readonly asked: readonly string[];
	serve(zone: DnsZone): void;
	stop(): Promise<void>;
}

const TYPES = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28 } as const;
const CODES = { ok: 0, servfail: 2, nxdomain: 3, refused: 5 } as const;
/** What resolvers accept over UDP today. */
const MAX_UDP = 1_232;

const nameBytes = (name: string): Buffer =>
	Buffer.concat([
		...name
			.split('.')
			.filter((label) => label !== '')
			.map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])),
		Buffer.from([0])
	]);

const uint16 = (...values: number[]): Buffer =>
	Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));

const txtBytes = (text: string): Buffer => {
	const bytes = Buffer.from(text, 'latin1');
	const strings: Buffer[] = [];
	for (let at = 0; at < Math.max(bytes.length, 1); at += 255) {
		const part = bytes.subarray(at, at + 255);
		strings.push(Buffer.from([part.length]), part);
	}
	return Buffer.concat(strings);
};

const addressBytes = (address: string): Buffer => {
	if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
	const [head = '', tail = ''] = address.split('::');
	const groups = (part: string): number[] =>
		part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
	const filler = Array<number>(8 - groups(head).length - groups(tail).length).fill(0);
	return uint16(...groups(head), ...filler, ...groups(tail));
};

interface Question {
	readonly name: string;
	readonly type: number;
	/** The end of the question in the message. */
	readonly end: number;
}

const readQuestion = (message: Buffer): Question => {
	const labels: string[] = [];
	let at = 12;
	while ((message[at] ?? 0) > 0) {
		const length = message[at] ?? 0;
		labels.push(message.toString('latin1', at + 1, at + 1 + length));
		at += length + 1;
	}
	return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
};

/** The resource records for a question, an alias first. */
const recordsFor = (zone: DnsZone, name: string, type: number): Buffer[] | null => {
	const entry = entryOf(zone, name);
	if (entry === null) return null;
	const record = (kind: number, data: Buffer): Buffer =>
		Buffer.concat([nameBytes(name), uint16(kind, 1, 0, 60, data.length), data]);
	if (entry.cname !== undefined) {
		const alias = record(TYPES.CNAME, nameBytes(entry.cname));
		return type === TYPES.CNAME ? [alias] : [alias, ...(recordsFor(zone, entry.cname, type) ?? [])];
	}
	if (type === TYPES.TXT) return (entry.txt ?? []).map((text) => record(type, txtBytes(text)));
	if (type === TYPES.A) return (entry.a ?? []).map((ip) => record(type, addressBytes(ip)));
	if (type === TYPES.AAAA) return (entry.aaaa ?? []).map((ip) => record(type, addressBytes(ip)));
	if (type === TYPES.MX) {
		return (entry.mx ?? []).map(([priority, exchange]) =>
			record(type, Buffer.concat([uint16(priority), nameBytes(exchange)]))
		);
	}
	return [];
};

const reply = (query: Buffer, code: number, records: readonly Buffer[], flags = 0): Buffer => {
	const { end } = readQuestion(query);
	return Buffer.concat([
		query.subarray(0, 2),
		uint16(0x8180 | flags | code, 1, records.length, 0, 0),
		query.subarray(12, end),
		...records
	]);
};
const TRUNCATED = 0x0200;

/** The answer to a message, or null for none. */
const answer = (zone: DnsZone, query: Buffer, isTcp: boolean): Buffer | null => {
	const { name, type } = readQuestion(query);
	const entry = entryOf(zone, name);
	switch (entry?.behaviour) {
		case 'silent':
			return null;
		case 'servfail':
		case 'refused':
			return reply(query, CODES[entry.behaviour], []);
		case 'garbage':
			// A record whose length reaches far beyond the end.
			return reply(query, CODES.ok, [
				Buffer.concat([
					nameBytes(name),
					uint16(type, 1, 0, 60, 0xfff0),
					Buffer.from('\x1b[2Jgarbage')
				])
			]);
		case 'truncated':
			if (!isTcp) return reply(query, CODES.ok, [], TRUNCATED);
	}
	const records = recordsFor(zone, name, type);
	if (records === null) return reply(query, CODES.nxdomain, []);
	const full = reply(query, CODES.ok, records);
	return !isTcp && full.length > MAX_UDP ? reply(query, CODES.ok, [], TRUNCATED) : full;
};

/** A DNS server on this machine, over UDP and TCP, that fails on request. */
export const startDnsServer = async (first: DnsZone = {}): Promise<DnsServer> => {
	let zone = first;
	const overTcp: string[] = [];
	const asked: string[] = [];
	const connections = new Set<Socket>();
	const udp: UdpSocket = createSocket('udp4');
	udp.on('message', (query, { port, address }) => {
		asked.push(readQuestion(query).name);
		const message = answer(zone, query, false);
		if (message !== null) udp.send(message, port, address);
	});
	const tcp: Server = createServer((socket) => {
		connections.add(socket);
		let waiting = Buffer.alloc(0);
		socket.on('error', () => undefined).once('close', () => connections.delete(socket));
		socket.on('data', (chunk: Buffer) => {
			waiting = Buffer.concat([waiting, chunk]);
			while (waiting.length >= 2 && waiting.length >= waiting.readUInt16BE(0) + 2) {
				const end = waiting.readUInt16BE(0) + 2;
				const query = waiting.subarray(2, end);
				waiting = waiting.subarray(end);
				overTcp.push(readQuestion(query).name);
				const message = answer(zone, query, true);
				if (message !== null) socket.write(Buffer.concat([uint16(message.length), message]));
			}
		});
	});
	await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
	const { port } = tcp.address() as AddressInfo;
	await new Promise<void>((resolve, reject) => {
		udp.once('error', reject).bind(port, '127.0.0.1', resolve);
	});
	return {
		address: `127.0.0.1:${port}`,
		overTcp,
		asked,
		serve: (next) => {
			zone = next;
			overTcp.splice(0);
			asked.splice(0);
		},
		stop: async () => {
			for (const socket of connections) socket.destroy();
			await new Promise<void>((resolve) => udp.close(() => resolve()));
			await new Promise<void>((resolve) => tcp.close(() => resolve()));
		}
	};
};
