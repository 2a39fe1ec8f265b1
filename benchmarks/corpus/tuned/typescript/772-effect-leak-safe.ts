import { useEffect, useState } from 'react';

interface Quote {
  symbol: string;
  price: number;
}

export function useQuotes(symbol: string): Quote | null {
  const [quote, setQuote] = useState<Quote | null>(null);

  useEffect(() => {
    const source = new EventSource(`/quotes/${encodeURIComponent(symbol)}`);
    source.onmessage = (event: MessageEvent<string>) => {
      setQuote(JSON.parse(event.data) as Quote);
    };
    return () => source.close();
  }, [symbol]);

  return quote;
}
