require 'json'
require 'roda'

class KilnApp < Roda
  plugin :json
  plugin :halt

  def ramp(formula, hours)
    eval("hours = #{hours}; #{formula}")
  end

  route do |r|
    r.on 'ramp' do
      r.get do
        hours = Integer(r.params.fetch('hours', '1'), exception: false)
        r.halt(400) if hours.nil?
        formula = r.params.fetch('formula', '20 + hours * 60')
        { 'temperature' => ramp(formula, hours) }
      end
    end
  end
end
