/**
 * The same port as an instance of a class: its methods are on the prototype and need their own
 * `this`. All other properties stay as they are.
 */
export const classInstance = <Port extends object>(port: Port): Port => {
	class Instance {
		readonly #port = port;
		constructor() {
			for (const [name, value] of Object.entries(port)) {
				if (typeof value !== 'function') Object.assign(this, { [name]: value });
			}
		}
		static {
			for (const [name, value] of Object.entries(port)) {
				if (typeof value !== 'function') continue;
				const method = function (this: Instance, ...input: readonly unknown[]): unknown {
					return Reflect.apply(value, this.#port, input);
				};
				Object.defineProperty(Instance.prototype, name, { value: method });
			}
		}
	}
	return new Instance() as Port;
};
