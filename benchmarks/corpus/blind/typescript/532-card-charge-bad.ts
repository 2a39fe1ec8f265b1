import pino from 'pino';
import type { Gateway } from './gateway';

const logger = pino({ name: 'till' });

export interface CardOrder {
  orderId: string;
  cardNumber: string;
  cvc: string;
  cents: number;
}

export async function charge(gateway: Gateway, order: CardOrder): Promise<string> {
  logger.info({ orderId: order.orderId, card: order.cardNumber, cvc: order.cvc }, 'charging card');
  const receipt = await gateway.charge({
    number: order.cardNumber,
    cvc: order.cvc,
    amount: order.cents,
    currency: 'EUR',
  });
  if (!receipt.accepted) {
    logger.warn({ orderId: order.orderId, reason: receipt.reason }, 'card refused');
    throw new Error('payment refused');
  }
  return receipt.id;
}
