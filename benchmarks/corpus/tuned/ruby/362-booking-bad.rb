class Booking
  def reserve(event_id, user)
    event = Event.find(event_id)
    if event.seats_left > 0
      event.update!(seats_left: event.seats_left - 1)
      Ticket.create!(event: event, user: user)
    end
  end
end
