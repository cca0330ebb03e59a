// Loaded into a built server with --import: certain words in a request make something throw that
// never does. The product has no such hook.
const PLANTED = 'planted-fault';
const words = `${PLANTED} at /srv/postern: select * from "user"`;

const { normalize } = String.prototype;
String.prototype.normalize = function (this: string, form?: string) {
	if (this.includes(`${PLANTED}-late`)) {
		// Work that goes on behind the answer, in both of the ways it can end badly.
		void Promise.reject(new Error(words));
		setTimeout(() => {
			throw new Error(words);
		});
	} else if (this.includes(PLANTED)) throw new TypeError(words);
	return normalize.call(this, form);
} as typeof normalize;

// Reached in the hooks, before any route, by whoever brings a credential that has to be looked up.
const { get } = URLSearchParams.prototype;
URLSearchParams.prototype.get = function (this: URLSearchParams, name: string) {
	if (name === 'disableRefresh' && this.has(PLANTED)) throw new RangeError(words);
	return get.call(this, name);
};
