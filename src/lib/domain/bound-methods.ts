/**
 * The methods of a port, each bound to it. The result can be spread into another object. Spreading
 * an instance of a class directly would lose the methods, because they are on its prototype.
 */
export const withBoundMethods = <Port extends object>(port: Port): Port => {
	const bound: Record<string, unknown> = {};
	for (let level: unknown = port; isLevel(level); level = Object.getPrototypeOf(level)) {
		for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
			if (name === 'constructor' || typeof value !== 'function') continue;
			// The method of the class itself overrides that of the class it extends.
			if (Object.hasOwn(bound, name)) continue;
			bound[name] = value.bind(port);
		}
	}
	return bound as Port;
};

const isLevel = (value: unknown): value is object => value !== null && value !== Object.prototype;
