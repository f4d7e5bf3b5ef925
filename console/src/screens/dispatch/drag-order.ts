import { type DragEvent, type HTMLAttributes, useState } from 'react';

/* Orders are dragged with a mouse or a pen. Every drag has buttons that do the same. */

const orderType = 'application/x-order';

/** What makes an element an order that can be dragged. */
export function dragsOrder(orderId: string): HTMLAttributes<HTMLElement> & { readonly draggable: boolean } {
  return {
    draggable: true,
    onDragStart: (event) => {
      event.stopPropagation();
      event.dataTransfer.setData(orderType, orderId);
      event.dataTransfer.effectAllowed = 'move';
    },
  };
}

/** A place where an order is dropped; null: it takes none now. `isOver` while one is held above it. */
export function useOrderDrop(onDrop: ((orderId: string) => void) | null) {
  const [isOver, setOver] = useState(false);
  const takes = (event: DragEvent) => onDrop !== null && event.dataTransfer.types.includes(orderType);
  const handlers: HTMLAttributes<HTMLElement> = {
    onDragOver: (event) => {
      if (!takes(event)) return;
      event.preventDefault();
      // The innermost place takes it: a stop, not its trip.
      event.stopPropagation();
      setOver(true);
    },
    onDragLeave: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event) => {
      setOver(false);
      if (!takes(event)) return;
      event.preventDefault();
      event.stopPropagation();
      onDrop?.(event.dataTransfer.getData(orderType));
    },
  };
  return { isOver: isOver && onDrop !== null, handlers };
}
