import { expect, test } from 'vitest';
import { halfSentBodies } from '../../support/http/half-sent.ts';
import { startBuiltServer } from '../../support/process/built-server.ts';

// Memory is read in /proc.
test.skipIf(process.platform !== 'linux')(
	'R02 with 800 bodies that never end, memory stays bounded, and an honest body still arrives, in one piece or in two',
	async () => {
		const server = await startBuiltServer();
		const { grown, whole, inTwo } = await halfSentBodies(server);
		expect([whole, inTwo]).toEqual([200, 200]);
		expect(grown).toBeLessThan(100);
		expect(await server.stop()).toBe(0);
	}
);
