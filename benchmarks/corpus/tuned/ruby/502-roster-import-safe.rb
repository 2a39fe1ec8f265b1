# frozen_string_literal: true

require "date"
require "yaml"

# Takes over a duty roster that a station uploads as a YAML file.
class RosterImport
  MAX_BYTES = 200_000
  Row = Struct.new(:day, :shift, :crew)

  def initialize(station)
    @station = station
  end

  def call(upload)
    text = upload.read(MAX_BYTES)
    document = YAML.load(text, permitted_classes: [Date], aliases: false)
    raise ArgumentError, "roster must be a list" unless document.is_a?(Array)

    rows = document.filter_map { |entry| build_row(entry) }
    @station.transaction do
      @station.duties.where(day: rows.map(&:day)).delete_all
      rows.each { |row| @station.duties.create!(row.to_h) }
    end
    rows.size
  end

  private

  def build_row(entry)
    return unless entry.is_a?(Hash) && entry["day"]

    Row.new(entry["day"], entry.fetch("shift", "early"), Array(entry["crew"]).join(", "))
  end
end
