import { compare } from './compare.ts';

/** `npm run bench`. `-- --scale` and `-- --soak` start the two longer measurements. */
const main = async (args: readonly string[]): Promise<void> => {
	const without = (mode: string): string[] => args.filter((argument) => argument !== mode);
	if (args.includes('--scale')) return (await import('./scale.ts')).scale(without('--scale'));
	if (args.includes('--soak')) return (await import('./soak.ts')).soak(without('--soak'));
	return compare([...args]);
};

// Exits, so that the servers it started are stopped too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(`[bench] ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
