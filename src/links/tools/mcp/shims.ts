import process from 'node:process';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server';

/**
 * What the library takes of the system that it runs on. Its own has a validator of JSON schemas, of 150 KB. The tools
 * check what they are given by themselves, in words that say what to do.
 */
export { process };

export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  /** Accepts everything. */
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  }
}
