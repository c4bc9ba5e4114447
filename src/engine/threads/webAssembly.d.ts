/* What Node has of WebAssembly: its types are only among those of browsers, which code outside of pages does not see. */

declare namespace WebAssembly {
  type Exports = Record<string, unknown>;
  type Imports = Record<string, Record<string, unknown>>;

  interface Memory {
    readonly buffer: ArrayBuffer;
  }

  interface Module {
    readonly [Symbol.toStringTag]?: string;
  }
  var Module: { prototype: Module; new (bytes: Uint8Array): Module };

  interface Instance {
    readonly exports: Exports;
  }
  var Instance: { prototype: Instance; new (module: Module, imports?: Imports): Instance };

  interface RuntimeError extends Error {
    readonly name: string;
  }
  var RuntimeError: { prototype: RuntimeError; new (message?: string): RuntimeError };
}
