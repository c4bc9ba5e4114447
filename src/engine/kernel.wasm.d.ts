declare module '*/kernel.wasm' {
  /** The path of the compiled kernel, relative to the bundle. */
  const path: string;
  export default path;
}
