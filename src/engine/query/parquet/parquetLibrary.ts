/* What is used of the library: a bundle of its own, which only an export to Parquet reads. */

export { ByteWriter, ParquetWriter } from 'hyparquet-writer';
