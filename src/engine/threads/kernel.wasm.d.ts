/** The path of the compiled kernel, relative to the bundle: see `kernelPlugin` of `kernel.js`. */
declare const path: string;
export default path;
