require 'json'
require 'roda'

class KilnApp < Roda
  plugin :json
  plugin :halt

  def ramp(formula, hours)
    eval("hours = #{hours}; #{FORMULAS.fetch(formula)}")
  end

  FORMULAS = { 'slow' => '20 + hours * 60', 'fast' => '20 + hours * 150' }.freeze

  route do |r|
    r.on 'ramp' do
      r.get do
        hours = Integer(r.params.fetch('hours', '1'), exception: false)
        r.halt(400) if hours.nil?
        formula = r.params.fetch('formula', 'slow')
        r.halt(400) unless FORMULAS.key?(formula)
        { 'temperature' => ramp(formula, hours) }
      end
    end
  end
end
