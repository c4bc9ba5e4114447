import { message } from '../../base/message';
import type { SqlFacts } from '../sqlTypes';
import type { TableFormat, TableInfo } from '../types';
import { NoSqlError, toNdjson } from './sqlRefusals';
import { pathOf, type SqlSyntax, table } from './sqlSyntax';

interface Source {
  readonly path: string;
  readonly info: TableInfo;
  readonly facts: SqlFacts;
}

/** How an engine reads the records of a file: each value as text, so that it guesses no types. */
export class SqlFile {
  private readonly format: TableFormat;
  private readonly skipsInvalid: boolean;

  /** @param fields the unique names of the CSV fields. */
  constructor(
    private readonly syntax: SqlSyntax,
    private readonly source: Source,
    private readonly fields: readonly string[],
  ) {
    this.format = source.info.format;
    this.skipsInvalid = source.info.invalidRows > 0;
  }

  /** The statements before the query. */
  before(): string {
    const note = this.skipsInvalid ? '-- Records that cannot be read are left out.\n' : '';
    return this.syntax.isDuckDb
      ? `${note}set timezone = 'UTC';\n`
      : `set time zone 'UTC';\n${this.sparkViews()}`;
  }

  private sparkViews(): string {
    const { syntax, format, source } = this;
    const view = (name: string, using: string) =>
      `create or replace temporary view ${name} ${using};\n`;
    const path = source.path.replaceAll('\\', '/').replace(/[*?[\]{}]/g, '\\$&');
    const file = `path ${syntax.text(path)}`;
    switch (source.facts.splitter) {
      case 'csv': {
        const schema = this.fields.map((name) => `${syntax.name(name)} string`);
        const options = [
          file,
          `header ${syntax.text(String(format.heading === true))}`,
          `sep ${syntax.text(format.delimiter ?? ',')}`,
          `multiLine 'true'`,
          `escape '"'`,
        ];
        return view(table, `(${schema.join(', ')}) using csv options (${options.join(', ')})`);
      }
      case 'lines':
        return view(table, `using text options (${file})`);
      case 'texts':
      case 'whole':
        return view(table, `using text options (${file}, wholetext 'true')`);
      case 'array':
      case 'topArray': {
        const whole = format.member === undefined ? 'value' : this.member('value', format.member);
        const values = `explode(from_json(${whole}, 'array<string>')) as value`;
        return (
          view('file', `using text options (${file}, wholetext 'true')`) +
          view(table, `as select ${values} from file`)
        );
      }
    }
  }

  /** Conditions that leave out what is not JSON: DuckDB reads it as a row without a value. */
  validRecords(): string[] {
    return this.skipsInvalid ? [`${table}.json is not null`] : [];
  }

  from(): string {
    const { syntax, format, source } = this;
    const { path, facts } = source;
    if (!syntax.isDuckDb) {
      return table;
    }
    const file = syntax.text(path.replace(/[*?[]/g, '[$&]'));
    // What names say must not matter: neither an ending, nor a folder such as `year=2026`.
    const more = [
      ...(format.gzip ? ["compression = 'gzip'"] : []),
      ...(!format.gzip && /\.(gz|zst)$/i.test(path) ? ["compression = 'uncompressed'"] : []),
      ...(path.includes('=') ? ['hive_partitioning = false'] : []),
    ];
    const objects = (form: string, ...options: string[]) =>
      `read_json_objects(${[file, `format = '${form}'`, ...options, ...more].join(', ')})`;
    // The whole file is one value.
    const largest = `maximum_object_size = ${Math.max(16 * 1024 ** 2, facts.bytes)}`;
    switch (facts.splitter) {
      case 'csv': {
        // DuckDB must not guess: a line that starts with # is not a comment, and line ends may
        // differ. Only one thread can read records with fewer fields if some of them have line
        // breaks.
        const options = [
          file,
          `header = ${format.heading === true}`,
          'auto_detect = false',
          `delim = ${syntax.text(format.delimiter ?? ',')}`,
          `quote = '"'`,
          `escape = '"'`,
          'null_padding = true',
          'parallel = false',
          'strict_mode = false',
          ...more,
          `columns = {${this.fields.map((name) => `${syntax.text(name)}: 'varchar'`).join(', ')}}`,
        ];
        return `read_csv(${options.join(', ')}) as ${table}`;
      }
      case 'lines': {
        const options = this.skipsInvalid ? ['ignore_errors = true'] : [];
        return `read_ndjson_objects(${[file, ...options, ...more].join(', ')}) as ${table}`;
      }
      case 'topArray':
        return `${objects('array')} as ${table}`;
      case 'texts':
        return `${objects('unstructured')} as ${table}`;
      case 'whole':
        return `${objects('unstructured', largest)} as ${table}`;
      case 'array': {
        const list = this.member('json', format.member ?? '', '->');
        const whole = objects('unstructured', largest);
        return `(\n  select unnest(cast(${list} as json[])) as json\n  from ${whole}\n) as ${table}`;
      }
    }
  }

  /** The list of the records in a member of the top object, or of its members. */
  private member(of: string, member: string, arrow: '->' | '->>' = '->>'): string {
    const path = pathOf(member.split('.')) ?? this.refuseMember();
    return this.syntax.isDuckDb
      ? `${of}${arrow}${this.syntax.text(path)}`
      : `get_json_object(${of}, ${this.syntax.text(path)})`;
  }

  private refuseMember(): never {
    throw new NoSqlError(message('The rows are in a member with an unusual name.'), toNdjson);
  }
}
