/** Runs one operation at a time per key: who asks while it runs gets the same promise. */
export class SingleFlight<K, T> {
  private readonly flights = new Map<K, Promise<T>>();

  run(key: K, operation: () => Promise<T>): Promise<T> {
    const running = this.flights.get(key);
    if (running) {
      return running;
    }
    const flight = operation().finally(() => {
      if (this.flights.get(key) === flight) {
        this.flights.delete(key);
      }
    });
    this.flights.set(key, flight);
    return flight;
  }
}
